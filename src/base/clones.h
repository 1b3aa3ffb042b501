#pragma once

/// Marks a hot function to be compiled for several instruction sets, the best one chosen when the program
/// loads. Only for code whose bits do not depend on the choice (no contraction, fixed order of summation).
/// ThreadSanitizer is not ready when the loader chooses, so its build gets the plain version.
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define PITH_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PITH_CLONES
#endif
