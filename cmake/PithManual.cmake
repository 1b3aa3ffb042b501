# Man pages, written by the programs themselves, and completions.
set(PITH_MAN ${PROJECT_BINARY_DIR}/man)
set(pages "")
function(pith_man_page target format name)
  set(plain ${PITH_MAN}/${name}.1)
  set(page ${plain}.gz)
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PITH_MAN}
    # Not by a pipe, which would hide that the program failed.
    COMMAND sh -c "'$<TARGET_FILE:${target}>' --manual ${format} > '${plain}' && gzip -9nf '${plain}'"
    DEPENDS ${target} VERBATIM)
  set(pages ${pages} ${page} PARENT_SCOPE)
endfunction()

pith_man_page(pith_cli man pith)
foreach(name select compare graph info synth report export import round)
  pith_man_page(pith_cli man:${name} pith-${name})
endforeach()
set(command_pages ${pages})
set(pages "")
if(PITH_HAS_SERVE)
  pith_man_page(pith_serve_cli man:serve pith-serve)
endif()
set(serve_pages ${pages})
set(pages "")
if(PITH_HAS_TRAIN)
  foreach(name train embed experiment)
    pith_man_page(pith_train_cli man:${name} pith-${name})
  endforeach()
endif()
set(train_pages ${pages})
set(mpi_pages "")
if(PITH_HAS_MPI)
  # pith-mpi is what pith select becomes: the same page.
  set(mpi_pages ${PITH_MAN}/pith-mpi.1.gz)
  add_custom_command(OUTPUT ${mpi_pages}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PITH_MAN}
    COMMAND sh -c "echo .so man1/pith-select.1 | gzip -9n > '${mpi_pages}'" VERBATIM)
endif()
add_custom_target(pith_manual ALL DEPENDS ${command_pages} ${serve_pages} ${train_pages} ${mpi_pages})
