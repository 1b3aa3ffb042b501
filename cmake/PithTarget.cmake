# Every target of ours is compiled under the same rules: warnings are errors, sanitizers as asked, and no
# contraction of a*b+c, so that the same source gives the same bits on every machine.
add_library(pith_rules INTERFACE)
target_compile_features(pith_rules INTERFACE cxx_std_20)
target_compile_options(pith_rules INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror -ffp-contract=off)
if(PITH_SANITIZE)
  target_compile_options(pith_rules INTERFACE -fsanitize=${PITH_SANITIZE} -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_link_options(pith_rules INTERFACE -fsanitize=${PITH_SANITIZE})
endif()
