/* Makes calls that change a folder fail: loaded by LD_PRELOAD, steered by `fault` (see faults.py).

   The n-th call fails with an error number, writes half (SHORT), or ends the process (KILLED); with n = ALL each one
   fails while a flag file is there. With a trace, what a power cut needs to know is noted: names made, moved and
   removed, sizes that were synced; what is removed or replaced keeps a link among the graves. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ALL = -1, SHORT = 1000, KILLED = 1001 };
static const char *folder, *flag, *graves;
static int nth, kind, trace = -1;
static volatile int count;

void fault(const char *below, int n, int how, const char *flagged, const char *kept, int noted) {
    folder = *below ? strdup(below) : 0, flag = strdup(flagged), graves = strdup(kept), nth = n, kind = how, trace = noted, count = 0;
}
int fault_count(void) { return count; }

#define REAL(name) static __typeof__(&name) real; if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name)
static int ours(const char *path) {
    size_t size = folder ? strlen(folder) : 0;
    return size && path && !strncmp(path, folder, size) && (!path[size] || path[size] == '/');
}
static const char *named(int file, char *room) {
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = folder ? readlink(link, room, 4095) : -1;
    return room[size < 0 ? 0 : size] = 0, room;
}
static const char *within(int file, const char *name, char *room) {
    if (*name == '/' || file == AT_FDCWD) return name;
    named(file, room);
    return strcat(strcat(room, "/"), name);
}
static int failing(const char *path, int writes) { /* 0: go on, 1: write half, -1: fail */
    if (!ours(path)) return 0;
    int now = __sync_add_and_fetch(&count, 1), hit = nth == ALL ? !access(flag, F_OK) : now == nth;
    if (hit && kind == KILLED) kill(getpid(), SIGKILL);
    if (hit && kind == SHORT) return writes;
    return hit ? (errno = kind, -1) : 0;
}
static void note(const char *what, const char *path, const char *other, long buried) {
    struct stat is = {0};
    char line[9000];
    if (trace < 0 || !ours(path)) return;
    lstat(other ? other : path, &is);
    int size = snprintf(line, sizeof line, "%s\t%d\t%ld\t%ld\t%s\t%s\n", what, S_ISDIR(is.st_mode),
                        buried ? buried : (long)is.st_ino, (long)is.st_size, path, other ? other : "");
    if (syscall(SYS_write, trace, line, size) != size) abort(); /* the kernel's own, which nobody fails */
}
static long bury(const char *path) { /* the inode that a name stood for and, as it were, still does */
    struct stat is;
    char grave[4300];
    if (trace < 0 || !ours(path) || lstat(path, &is) || !S_ISREG(is.st_mode)) return -1;
    snprintf(grave, sizeof grave, "%s/%ld", graves, (long)is.st_ino);
    if (syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, grave, 0) && errno != EEXIST) abort();
    return is.st_ino;
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int how, ...) {                                                                         \
        va_list rest; va_start(rest, how); int mode = va_arg(rest, int); va_end(rest);                                 \
        REAL(name); int fresh = access(path, F_OK);                                                                    \
        if ((how & (O_WRONLY | O_RDWR | O_CREAT)) && failing(path, 0) < 0) return -1;                                  \
        int file = real(path, how, mode);                                                                              \
        if (file >= 0 && (how & O_CREAT) && fresh) note("made", path, 0, 0);                                              \
        else if (file >= 0 && (how & O_TRUNC)) note("emptied", path, 0, 0);                                               \
        return file;                                                                                                   \
    }
OPEN(open) OPEN(open64)
#define WRITE(name, parameters, arguments, half)                                                                       \
    ssize_t name parameters {                                                                                          \
        char room[4096]; REAL(name);                                                                                   \
        int fails = failing(named(file, room), 1);                                                                     \
        if (fails > 0) half;                                                                                           \
        return fails < 0 ? -1 : real arguments;                                                                        \
    }
WRITE(write, (int file, const void *data, size_t size), (file, data, size), size = (size + 1) / 2)
WRITE(pwrite, (int file, const void *data, size_t size, off_t at), (file, data, size, at), size = (size + 1) / 2)
WRITE(pwrite64, (int file, const void *data, size_t size, off64_t at), (file, data, size, at), size = (size + 1) / 2)
WRITE(writev, (int file, const struct iovec *data, int parts), (file, data, parts), parts = (parts + 1) / 2)
WRITE(copy_file_range, (int from, off64_t *a, int file, off64_t *b, size_t size, unsigned flags), (from, a, file, b, size, flags), size = (size + 1) / 2)
WRITE(sendfile, (int file, int from, off_t *at, size_t size), (file, from, at, size), size = (size + 1) / 2)
WRITE(sendfile64, (int file, int from, off64_t *at, size_t size), (file, from, at, size), size = (size + 1) / 2)
#define CHANGE(name, parameters, arguments, path, before, what, other)                                                 \
    int name parameters {                                                                                              \
        char room[8192] = ""; REAL(name); (void)room;                                                                       \
        const char *where = path;                                                                                      \
        if (failing(where, 0) < 0) return -1;                                                                          \
        long buried = before;                                                                                          \
        int done = real arguments;                                                                                     \
        if (!done) note(what, where, other, buried);                                                                           \
        return done;                                                                                                   \
    }
CHANGE(fsync, (int file), (file), named(file, room), 0, "synced", 0)
CHANGE(fdatasync, (int file), (file), named(file, room), 0, "synced", 0)
CHANGE(ftruncate, (int file, off_t size), (file, size), named(file, room), 0, "cut", 0)
CHANGE(ftruncate64, (int file, off64_t size), (file, size), named(file, room), 0, "cut", 0)
CHANGE(rename, (const char *from, const char *to), (from, to), from, bury(to), "moved", to)
CHANGE(link, (const char *from, const char *to), (from, to), to, 0, "made", 0)
CHANGE(unlink, (const char *path), (path), path, bury(path), "removed", 0)
CHANGE(unlinkat, (int file, const char *path, int how), (file, path, how), within(file, path, room), bury(where), "removed", 0)
CHANGE(rmdir, (const char *path), (path), path, 0, "removed", 0)
CHANGE(mkdir, (const char *path, mode_t mode), (path, mode), path, 0, "made", 0)
