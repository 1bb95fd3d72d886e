// May a test put its own malloc in place of the C library's? Sanitizers have theirs.
#ifndef TESTS_INTERPOSED_H
#define TESTS_INTERPOSED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INTERPOSED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INTERPOSED 0
#endif
#endif
#ifndef INTERPOSED
#define INTERPOSED 1
#endif

#endif
