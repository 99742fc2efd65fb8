import type { Template } from './template.ts';

const PROGRAM = '{origin} ({started}) cannot be started: ';
const OUTPUT = '; it printed:\n{output}';

/** Why a world cannot be raised or recorded, and what the author of a suite can do about it. */
export const WORLD = {
  app_cannot_be_run: { text: 'the app {file} cannot be run: {why}', remedy: '{remedy}' },
  app_has_no_default: {
    text: '{file} has no app as its default export',
    remedy: 'write "export default defineApp(() => ({ fetch, state }))"; docs/write-a-task.md shows an app',
  },
  app_cannot_be_made: { text: 'the app of {origin} cannot be created: {why}', remedy: 'fix the app' },
  data_altered: {
    text: '{folder} is not as it was when the suite was written: its hash is {found}, not {expected}',
    remedy: 'restore the folder, or import the data set again',
  },
  app_cannot_be_closed: { text: 'the app of {origin} cannot be closed: {why}', remedy: 'fix the app' },
  app_in_suite: { text: '{place}:\n{why}', remedy: '{remedy}' },
  app_program_missing: {
    text: 'the app of {origin} needs "{program}", which is not installed{meant=}',
    remedy: 'install {program}, or correct its name',
  },
  faketime_missing: {
    text: 'the app of {origin} is to get the clock of the task by libfaketime, which is not installed',
    remedy:
      'install it ("apt-get install faketime"), name it in the variable TOUCHSTONE_LIBFAKETIME, or give the app the clock by "clock_env"',
  },
  app_program_ended: {
    text: `the app of ${PROGRAM}it exited before it was ready${OUTPUT}`,
    remedy: 'run its command by hand in its folder, and fix what it reports',
  },
  app_not_listening: {
    text: `the app of ${PROGRAM}nothing listens on 127.0.0.1:{port}, the port that it was given{elsewhere|:|address:, though on another address|other:; it listens on port {elsewhere} instead}${OUTPUT}`,
    remedy:
      'make the app listen on 127.0.0.1 at the port that its program gets from env or command, or declare its fixed port as "port"',
  },
  app_not_answering: {
    text: `the app of ${PROGRAM}{status|:it does not answer {ready}|other:it answers {ready} with {status}} on 127.0.0.1:{port}${OUTPUT}`,
    remedy: 'set "ready" (--ready of init) to a path that it answers with success or a redirect, or fix the app',
  },
  app_state_not_returned: {
    text: 'the app of {suite} does not return its state: {why}',
    remedy: 'correct "state" (now {places}) or the app, or leave it out if no contract needs it',
  },
  app_not_installed: {
    text: '{package} {version} is not installed',
    remedy: 'install it with "touchstone apps install {name}"',
  },
  app_not_isolated: {
    text: '{agent} could make {app} run commands as you, since there is no sandbox here',
    remedy:
      'install Bubblewrap (Debian: apt-get install bubblewrap) on a Linux that lets it run, or leave out the tasks on real applications',
  },
  app_cannot_be_installed: {
    text: '{package} {version} cannot be installed: {why}',
    remedy: 'see the output of npm; the registry must be reachable, and TOUCHSTONE_CACHE writable',
  },
  archive_missing: {
    text: 'the archive {file} cannot be opened: {why}',
    remedy: 'record it with "touchstone record <suite>", or correct its path',
  },
  archive_broken: {
    text: 'the archive {file} is broken: {why}',
    remedy: 'get it again from its source, or record it again with "touchstone record <suite>"',
  },
  pages_cannot_be_packed: {
    text: '{folder} cannot be packed: {why}',
    remedy: 'name a folder with <host>/<path…> in it, for example pages/docs.example.com/index.html',
  },
  connection_not_understood: {
    text: '"{text}" does not state where to connect to',
    remedy: 'write host:port:other-host:other-port, for example docs.example.com:443:127.0.0.1:8443',
  },
} as const satisfies Record<string, Template>;
