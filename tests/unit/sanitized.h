#ifndef SANITIZED_H
#define SANITIZED_H

// Under a sanitizer runs take three to five times as long: the longest tests take fewer or looser tolerances there, which go
// through the same code.
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { SANITIZED = 1 };
#define SANITIZED_BUILD
#endif
#endif
#ifndef SANITIZED_BUILD
enum { SANITIZED = 0 };
#endif

#endif
