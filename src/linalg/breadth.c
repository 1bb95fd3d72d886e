// The nodes of a graph breadth first, level by level from a start: neighbours there stand near each other in memory.
#include "linalg/breadth.h"

int hol_breadth_first(const hol_pattern *p, int root, int n, int *node, int *level)
{
    int k = n;
    level[root] = 0;
    node[n++] = root;
    for (; k < n; k++)
        for (int e = p->start[node[k]]; e < p->start[node[k] + 1]; e++) {
            const int i = p->index[e];
            if (level[i] >= 0) continue;
            level[i] = level[node[k]] + 1;
            node[n++] = i;
        }
    return n;
}

// What was reached last from anywhere is at an end, and from there the levels are the narrowest.
void hol_breadth_order(const hol_pattern *p, int *node, int *level)
{
    for (int i = 0; i < p->n; i++) level[i] = -1;
    for (int i = 0, n = 0; i < p->n; i++) {
        if (level[i] >= 0) continue;
        const int end = hol_breadth_first(p, i, n, node, level);
        const int last = node[end - 1];
        for (int k = n; k < end; k++) level[node[k]] = -1;
        n = hol_breadth_first(p, last, n, node, level);
    }
}
