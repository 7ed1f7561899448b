/* pty.c - runs a program in a new terminal and talks to it, for the specs of the REPL.
**
**   pty program args... < script
**   pty                             can a terminal be made? Exits with 0, or prints the reason
**
** The script has one command per line; \n \r \t \e \\ \xHH in its texts are characters:
**   send TEXT         types it
**   expect MS TEXT    waits until TEXT is in the output, after the previous match
**   never TEXT        fails if TEXT is in the output since the last match
**   wait MS
**   size COLUMNS      resizes the terminal
** The program starts as in a new terminal: no signal is ignored or blocked, even if a shell script started pty in
** the background, which ignores SIGINT. At the end of the script the terminal stays open until the program ends,
** for at most 20 s. All output goes to standard output, followed by a line "exit N" (N is 128 + the signal that
** killed it), or by "FAILED: command", and then pty returns 1.
*/
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char output[1 << 22];
static size_t length, matched;
static int terminal;
static pid_t child;

static long long now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* Reads output for at most this many milliseconds; 0 if the program has closed the terminal. */
static int read_output(long long ms) {
  struct pollfd p = { .fd = terminal, .events = POLLIN };
  if (poll(&p, 1, ms < 0 ? 0 : (int)ms) <= 0) return 1;
  ssize_t n = read(terminal, output + length, sizeof output - 1 - length);
  if (n <= 0) return 0;
  length += (size_t)n;
  output[length] = '\0';
  return 1;
}

static int end(const char *failed) {
  fwrite(output, 1, length, stdout);
  if (failed) {
    kill(child, SIGKILL);
    printf("\nFAILED: %s\n", failed);
    return 1;
  }
  int status;
  waitpid(child, &status, 0);
  printf("\nexit %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 0;
}

static void unescape(char *text) {
  char *to = text;
  for (; *text; text++) {
    if (*text != '\\') {
      *to++ = *text;
      continue;
    }
    switch (*++text) {
      case 'n': *to++ = '\n'; break;
      case 'r': *to++ = '\r'; break;
      case 't': *to++ = '\t'; break;
      case 'e': *to++ = '\033'; break;
      case 'x': {
        char digits[3] = { text[1], text[2], 0 };
        *to++ = (char)strtol(digits, NULL, 16);
        text += 2;
        break;
      }
      default: *to++ = *text;
    }
  }
  *to = '\0';
}

static int expect(long long ms, const char *text) {
  long long until = now_ms() + ms;
  for (;;) {
    char *found = memmem(output + matched, length - matched, text, strlen(text));
    if (found) {
      matched = (size_t)(found - output) + strlen(text);
      return 1;
    }
    long long left = until - now_ms();
    if (left <= 0 || !read_output(left)) return memmem(output + matched, length - matched, text, strlen(text)) != NULL;
  }
}

static void pass_time(long long ms) {
  for (long long until = now_ms() + ms; now_ms() < until;)
    if (!read_output(until - now_ms())) return;
}

/* Executes one line; 0 if it failed. */
static int obey(char *line) {
  char word[16] = "", *text;
  int used = 0;
  long long ms = 0;
  sscanf(line, "%15s%n", word, &used);
  text = line + used;
  if (strcmp(word, "expect") == 0 || strcmp(word, "wait") == 0 || strcmp(word, "size") == 0)
    ms = strtoll(text, &text, 10);
  if (*text == ' ') text++;
  unescape(text);
  if (strcmp(word, "expect") == 0) return expect(ms, text);
  if (strcmp(word, "send") == 0) return write(terminal, text, strlen(text)) >= 0;
  if (strcmp(word, "wait") == 0) {
    pass_time(ms);
    return 1;
  }
  if (strcmp(word, "never") == 0) {
    read_output(0);
    return !memmem(output + matched, length - matched, text, strlen(text));
  }
  if (strcmp(word, "size") == 0) return ioctl(terminal, TIOCSWINSZ, &(struct winsize){ 40, (unsigned short)ms, 0, 0 }) == 0;
  return *word == '\0';
}

/* Resets signals that a shell or a CI runner has ignored or blocked, as a login does. */
static void forget_signals(void) {
  sigset_t none;
  for (int s = 1; s < NSIG; s++) signal(s, SIG_DFL);      /* fails harmlessly for SIGKILL and SIGSTOP */
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static int can_make_one(void) {
  int own, other;
  if (openpty(&own, &other, NULL, NULL, NULL) == 0) return 0;
  printf("no pseudo-terminal can be made here: %s\n", strerror(errno));
  return 1;
}

int main(int argc, char **argv) {
  static char line[1 << 16];
  struct winsize size = { 40, 120, 0, 0 };
  if (argc < 2) return can_make_one();
  signal(SIGCHLD, SIG_DFL);             /* if it were ignored, waitpid would return no status */
  child = forkpty(&terminal, NULL, NULL, &size);
  if (child < 0) {
    perror("pty");
    return 2;
  }
  if (child == 0) {
    forget_signals();
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    _exit(127);
  }
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    char copy[200];
    snprintf(copy, sizeof copy, "%s", line);
    if (!obey(line)) return end(copy);
  }
  for (long long until = now_ms() + 20000; read_output(until - now_ms());)
    if (now_ms() >= until) return end("the program did not end");
  return end(NULL);
}
