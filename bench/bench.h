// Parts of `make bench`. Each returns 1 where a bound is missed.
#ifndef BENCH_H
#define BENCH_H

int bench_force(void);
int bench_nonstiff(void);
int bench_tree(const char *models);
int bench_loops(const char *models);

#endif
