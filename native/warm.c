/*
 * Does what hooks/warm.pl does, for Linux, as a program that starts in a tenth of perl's time: passes a hook's event to this
 * repository's guard server, and runs the given command if no server accepts it. The protocol is in src/warm/protocol.ts. No library
 * is linked, and no environment variables other than those named here affect it. Built by native/build.sh; guard's build
 * overwrites BUILD with its own name (scripts/build.mjs).
 */
#include <linux/stat.h>
#include "system.h"

#define PATH_BYTES 8192
#define EVENT_BYTES 8388608
#define ANSWER_BYTES 4194304
#define AROUND_BYTES 4194304
/* Limit for socket addresses, including the terminator. */
#define ADDRESS_BYTES 100
/* A pipe always accepts this much in one write, even if the system has little pipe memory left. */
#define PIPE_BYTES 4096
#define TAKE_UP_MS 50
#define HERE -100

enum { IN = 1, OUT = 4, AGAIN = -11, INTERRUPTED = -4, ABSENT = -2, REFUSED = -111 };

/* Stored as separate bytes in the file, so that the build can overwrite them. */
static const volatile char BUILD[] = "@BUILD_ID_HERE@@";

struct path { unsigned long size; char at[PATH_BYTES]; };
struct id { unsigned long device, inode; };

static char **command, **environment;
static char request_id[26];
static char event[EVENT_BYTES + 65536], answer[ANSWER_BYTES], around[AROUND_BYTES];
static unsigned long event_size;
static int is_whole;
static long until_ms;

void *memset(void *to, int value, unsigned long size) {
  for (unsigned long n = 0; n < size; n++) ((volatile char *)to)[n] = (char)value;
  return to;
}

void *memcpy(void *to, const void *from, unsigned long size) {
  char *into = to;
  const char *out_of = from;
  while (size-- > 0) {
    *into++ = *out_of++;
    __asm__ volatile("" ::: "memory");
  }
  return to;
}

static unsigned long length(const char *text) {
  unsigned long size = 0;
  while (text[size]) size++;
  return size;
}

static int begins(const char *text, const char *with) {
  while (*with) if (*text++ != *with++) return 0;
  return 1;
}

static const char *variable(const char *name) {
  for (char **one = environment; *one; one++)
    if (begins(*one, name) && (*one)[length(name)] == '=') return *one + length(name) + 1;
  return 0;
}

static long now_ms(void) {
  long time[2] = {0, 0};
  CALL(clock_gettime, 1, time);
  return time[0] * 1000 + time[1] / 1000000;
}

/* False if the limit has passed. */
static int is_ready(long fd, short events, long limit_ms) {
  for (;;) {
    struct { int fd; short events, is; } one = {(int)fd, events, 0};
    long left_ms = limit_ms - now_ms();
    if (left_ms < 0) left_ms = 0;
    long time[2] = {left_ms / 1000, left_ms % 1000 * 1000000};
    long count = CALL(ppoll, &one, 1, time);
    if (count != INTERRUPTED) return count > 0;
  }
}

static void put(long fd, const char *text, unsigned long size) {
  while (size > 0) {
    long done = CALL(write, fd, text, size);
    if (done > 0) text += done, size -= (unsigned long)done;
    else if (done == AGAIN) is_ready(fd, OUT, now_ms() + 1000);
    else if (done != INTERRUPTED) return;
  }
}

static void end(int code) {
  for (;;) CALL(exit_group, code);
}

/* Replaces this process with the command, which is looked up like in a shell. */
static void cold(void) {
  char **last = command;
  while (*last) last++;
  if (request_id[0]) *last = request_id;
  const char *name = command[0];
  int is_path = 0;
  for (const char *one = name; *one; one++) is_path |= *one == '/';
  if (is_path) CALL(execve, name, command, environment);
  const char *dirs = is_path ? "" : variable("PATH");
  /* The default of shells if PATH is not set. */
  if (!dirs) dirs = "/usr/local/bin:/usr/bin:/bin";
  while (dirs && *dirs) {
    struct path file = {0};
    while (*dirs && *dirs != ':' && file.size < PATH_BYTES / 2) file.at[file.size++] = *dirs++;
    if (file.size == 0) file.at[file.size++] = '.';
    file.at[file.size++] = '/';
    if (file.size + length(name) < PATH_BYTES) memcpy(file.at + file.size, name, length(name) + 1);
    CALL(execve, file.at, command, environment);
    while (*dirs && *dirs++ != ':');
  }
  put(2, "guard: ", 7);
  put(2, name, length(name));
  put(2, " cannot be started\n", 19);
  end(127);
}

/* The same, but what has already been read of the event is passed through a pipe. */
static void again(void) {
  int ends[2];
  if (CALL(pipe2, ends, 0) != 0) end(1);
  int fits = is_whole && event_size <= PIPE_BYTES;
  long child = fits ? 1 : CALL(clone, 17, 0, 0, 0, 0);
  if (child < 0) end(1);
  if (fits) put(ends[1], event, event_size);
  else if (child == 0) {
    CALL(close, 1);
    CALL(close, 2);
    CALL(close, ends[0]);
    put(ends[1], event, event_size);
    while (!is_whole) {
      long size = CALL(read, 0, answer, sizeof answer);
      if (size > 0) put(ends[1], answer, (unsigned long)size);
      else if (size == AGAIN) is_ready(0, IN, now_ms() + 1000);
      else if (size != INTERRUPTED) break;
    }
    end(0);
  }
  if (ends[0] != 0) {
    CALL(dup3, ends[0], 0, 0);
    CALL(close, ends[0]);
  }
  CALL(close, ends[1]);
  cold();
}

/* A path that does not fit in the buffer cannot exist, so there is no server to find. */
static void add(struct path *path, const char *text) {
  unsigned long size = length(text);
  if (path->size + size >= PATH_BYTES) cold();
  memcpy(path->at + path->size, text, size + 1);
  path->size += size;
}

static void join(struct path *path, const char *dir, const char *name) {
  path->size = 0;
  if (name[0] != '/') {
    add(path, dir);
    add(path, "/");
  }
  add(path, name);
}

static int look(const char *path, int flags, struct statx *seen) {
  return CALL(statx, HERE, path, flags, STATX_BASIC_STATS, seen) == 0;
}

static int is_file(const char *dir, const char *name) {
  struct path path;
  struct statx seen;
  join(&path, dir, name);
  return look(path.at, 0, &seen) && (seen.stx_mode & 0170000) == 0100000;
}

/* Empty if there is no such file. */
static void first_line(const char *dir, const char *name, struct path *line) {
  struct path path;
  join(&path, dir, name);
  long fd = CALL(openat, HERE, path.at, 02000000);
  long size = fd < 0 ? 0 : CALL(read, fd, line->at, PATH_BYTES - 1);
  if (fd >= 0) CALL(close, fd);
  for (line->size = 0; (long)line->size < size && line->at[line->size] != '\n'; line->size++);
  line->at[line->size] = 0;
}

/* The state directory around the project, and the directory that it belongs to. The server itself resolves an event's files. */
static void find_place(struct path *root, struct path *state) {
  struct id last = {0, 0};
  for (;;) {
    struct path git, line, own, common;
    struct statx seen;
    join(&git, root->at, ".git");
    if (is_file(root->at, ".git")) first_line(root->at, ".git", &line);
    else line.size = 0;
    if (line.size > 8 && begins(line.at, "gitdir: ")) {
      join(&own, root->at, line.at + 8);
      first_line(own.at, "commondir", &common);
      join(&git, own.at, common.size ? common.at : ".");
    }
    join(state, git.at, "guard");
    if (is_file(state->at, "install.json")) return;
    join(state, root->at, ".guard");
    if (is_file(state->at, "install.json")) return;
    if (!look(root->at, 0, &seen)) cold();
    struct id is = {(unsigned long)seen.stx_dev_major << 32 | seen.stx_dev_minor, seen.stx_ino};
    if (is.device == last.device && is.inode == last.inode) cold();
    last = is;
    add(root, "/..");
  }
}

/*
 * The server gets its own process group, so that an interrupt in the terminal does not reach it. Whichever process creates the directory
 * starts it, once in 30 s. It answers one event at a time and uses little memory, so GC threads and late compilation cost more than they save.
 */
static void start(const struct path *state, const struct path *root) {
  struct path mark, program;
  struct statx seen;
  long now[2] = {0, 0};
  join(&mark, state->at, "warm/");
  add(&mark, (const char *)BUILD);
  add(&mark, ".starting");
  CALL(clock_gettime, 0, now);
  if (look(mark.at, 0, &seen) && now[0] - seen.stx_mtime.tv_sec > 30) CALL(unlinkat, HERE, mark.at, 0x200);
  if (CALL(mkdirat, HERE, mark.at, 0700) != 0) return;
  program.size = 0;
  long size = CALL(readlinkat, HERE, "/proc/self/exe", program.at, PATH_BYTES - 32);
  while (size > 0 && program.at[size - 1] != '/') size--;
  if (size <= 0) return;
  memcpy(program.at + size, "serve-hooks.cjs", 16);
  if (CALL(clone, 17, 0, 0, 0, 0) != 0) return;
  CALL(setpgid, 0, 0);
  long nothing = CALL(openat, HERE, "/dev/null", 2);
  if (nothing < 0) end(1);
  for (int fd = 0; fd < 3; fd++) CALL(dup3, nothing, fd, 0);
  /* If the server inherited a pipe, a reader waiting for its end would wait as long as the server lives. */
  CALL(close_range, 3, 0xffffffff, 0);
  char *words[] = {command[0], "--single-threaded-gc", "--always-sparkplug", program.at, (char *)state->at, (char *)root->at, 0};
  command = words;
  request_id[0] = 0;
  cold();
}

static unsigned word_in(const char *at) {
  const unsigned char *byte = (const unsigned char *)at;
  return (unsigned)byte[0] << 24 | (unsigned)byte[1] << 16 | (unsigned)byte[2] << 8 | byte[3];
}

/* Connects to the server of this build, without blocking. */
static long reach(const struct path *state, const struct path *root) {
  struct path dir, file;
  struct statx own;
  struct { unsigned short family; char path[108]; } address;
  join(&dir, state->at, "warm");
  CALL(mkdirat, HERE, dir.at, 0700);
  if (!look(dir.at, 0x100, &own) || (own.stx_mode & 0170077) != 0040000 || own.stx_uid != CALL(geteuid, 0)) cold();
  join(&file, dir.at, (const char *)BUILD);
  add(&file, ".sock");
  long server = CALL(socket, 1, 1 | 04000 | 02000000, 0);
  if (server < 0) cold();
  const char *name = file.at;
  long here = -1;
  if (file.size > ADDRESS_BYTES) {
    here = CALL(openat, HERE, ".", 02000000);
    if (here < 0 || CALL(chdir, dir.at) != 0) cold();
    name = file.at + dir.size + 1;
  }
  address.family = 1;
  memcpy(address.path, name, length(name) + 1);
  long is = CALL(connect, server, &address, 2 + length(name) + 1);
  if (here >= 0 && CALL(fchdir, here) != 0) end(1);
  if (is == ABSENT || is == REFUSED) start(state, root);
  if (is != 0) cold();
  return server;
}

static char *decimal(char *at, unsigned long value) {
  char digits[20];
  int count = 0;
  do digits[count++] = (char)('0' + value % 10);
  while ((value /= 10) > 0);
  while (count > 0) *at++ = digits[--count];
  return at;
}

/* The server's greeting identifies it and accepts the event, with the number of seconds it may take. Until then, no event is read. */
static long greeted(long server) {
  char hello[513], wanted[512], *at = wanted;
  struct { int pid, user, group; } its;
  unsigned its_size = sizeof its;
  if (!is_ready(server, IN, now_ms() + TAKE_UP_MS)) cold();
  long size = CALL(read, server, hello, 512);
  if (size <= 0) cold();
  hello[size] = 0;
  if (CALL(getsockopt, server, 1, 17, &its, &its_size) != 0 || its.user != CALL(geteuid, 0)) cold();
  memcpy(at, "guard-warm 1 ", 13);
  at = decimal(at + 13, (unsigned long)its.pid);
  *at++ = ' ';
  /* Processes in other namespaces see other files and other processes. */
  for (int one = 0; one < 2; one++) {
    long part = CALL(readlinkat, HERE, one ? "/proc/self/ns/pid" : "/proc/self/ns/mnt", at, 100);
    if (part > 0) at += part;
    *at++ = one ? ' ' : ',';
  }
  *at = 0;
  if (!begins(hello, wanted)) cold();
  long limit_s = 0;
  const char *digit = hello + (at - wanted);
  while (*digit >= '0' && *digit <= '9' && limit_s < 1000) limit_s = limit_s * 10 + (*digit++ - '0');
  if (limit_s == 0 || digit[0] != '\n' || digit[1] != 0) cold();
  return limit_s;
}

static void read_event(void) {
  while (event_size <= EVENT_BYTES) {
    if (!is_ready(0, IN, until_ms)) again();
    long size = CALL(read, 0, event + event_size, 65536);
    if (size > 0) event_size += (unsigned long)size;
    else if (size == AGAIN || size == INTERRUPTED) continue;
    else {
      is_whole = 1;
      return;
    }
  }
  again();
}

/* The client waits 5 s when a session ends, and longer for everything else. */
static int is_session_end(void) {
  for (unsigned long at = 0; at + 64 < sizeof event && at < event_size && at < 4096; at++) {
    const char *rest = event + at;
    if (!begins(rest, "\"hook_event_name\"")) continue;
    for (rest += 17; *rest == ' ' || *rest == ':' || *rest == '\t' || *rest == '\n' || *rest == '\r'; rest++);
    if (begins(rest, "\"SessionEnd\"")) return 1;
  }
  return 0;
}

static char *word(char *at, unsigned long value) {
  for (int shift = 24; shift >= 0; shift -= 8) *at++ = (char)(value >> shift);
  return at;
}

static char *field(char *at, const char *text, unsigned long size) {
  memcpy(word(at, size), text, size);
  return at + 4 + size;
}

/* Writes everything that precedes the event itself. */
static char *before_event(void) {
  char *at = around + 4;
  *at++ = 'E';
  at = field(at, request_id + 5, request_id[0] ? 20 : 0);
  long size = CALL(readlinkat, HERE, "/proc/self/cwd", at + 4, PATH_BYTES);
  if (size <= 0 || size == PATH_BYTES) again();
  word(at, (unsigned long)size);
  char *names = at + 4 + size, *to = names + 4;
  for (char **one = environment; *one; one++) {
    unsigned long bytes = length(*one) + 1;
    if (to + bytes + 8 > around + AROUND_BYTES) again();
    memcpy(to, *one, bytes);
    to += bytes;
  }
  word(names, (unsigned long)(to - names - 4));
  to = word(to, event_size);
  word(around, (unsigned long)(to - around - 4) + event_size);
  return to;
}

/* Sent in one piece if it fits, so that the server wakes up once. */
static void send_all(long server, unsigned long before) {
  struct { char *at; unsigned long size; } parts[2] = {{around, before}, {event, event_size}};
  struct { void *name; long name_size; void *parts; long count; void *more; long more_size; long flags; } all = {0, 0, parts, 2, 0, 0, 0};
  while (parts[0].size + parts[1].size > 0) {
    long done = CALL(sendmsg, server, &all, 0x4000);
    if (done == AGAIN && is_ready(server, OUT, until_ms)) continue;
    if (done < 0 && done != INTERRUPTED) again();
    for (int one = 0; one < 2 && done > 0; one++) {
      unsigned long part = parts[one].size < (unsigned long)done ? parts[one].size : (unsigned long)done;
      parts[one].at += part;
      parts[one].size -= part;
      done -= (long)part;
    }
  }
}

static unsigned long read_answer(long server) {
  unsigned long got = 0;
  for (;;) {
    if (got == ANSWER_BYTES || !is_ready(server, IN, until_ms)) again();
    long size = CALL(read, server, answer + got, ANSWER_BYTES - got);
    if (size > 0) got += (unsigned long)size;
    else if (size == 0) return got;
    else if (size != AGAIN && size != INTERRUPTED) again();
  }
}

static void draw_id(void) {
  static const char hex[] = "0123456789abcdef";
  unsigned char random[10];
  if (CALL(getrandom, random, 10, 0) != 10) return;
  memcpy(request_id, "warm:", 5);
  for (int n = 0; n < 10; n++) {
    request_id[5 + 2 * n] = hex[random[n] >> 4];
    request_id[6 + 2 * n] = hex[random[n] & 15];
  }
}

static void answer_event(void) {
  struct path root = {0}, state;
  const char *top = variable("CLAUDE_PROJECT_DIR");
  add(&root, top && *top ? top : ".");
  find_place(&root, &state);
  long server = reach(&state, &root);
  long limit_s = greeted(server);
  until_ms = now_ms() + limit_s * 1000;
  read_event();
  if (limit_s > 2 && is_session_end()) until_ms = now_ms() + 2000;
  char *to = before_event();
  send_all(server, (unsigned long)(to - around));
  unsigned long got = read_answer(server);
  if (got < 12) again();
  unsigned long out = word_in(answer + 4);
  if (out > got - 12) again();
  unsigned long err = word_in(answer + 8 + out);
  unsigned code = word_in(answer);
  if (got != 12 + out + err || code > 255) again();
  /* Ignore SIGPIPE: the exit code must not change because no one reads the output. */
  struct { void *ignore; unsigned long flags; void *restorer; unsigned long mask; } how = {(void *)1, 0, 0, 0};
  CALL(rt_sigaction, 13, &how, 0, 8);
  put(1, answer + 8, out);
  put(2, answer + 12 + out, err);
  end((int)code);
}

void begin(char **stack) {
  long count = (long)*stack;
  char *words[4096];
  environment = stack + 2 + count;
  if (count < 2 || count > 4000) end(127);
  for (long n = 1; n <= count; n++) words[n - 1] = stack[n + 1];
  command = words;
  /* The array has room for one more word, the request. */
  words[count] = 0;
  draw_id();
  answer_event();
}
