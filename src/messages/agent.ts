import type { Template } from './template.ts';

const TRANSCRIPT = 'record or write the transcript again; docs/write-a-task.md shows the format';
const PROGRAM = 'install it, or give its full path';
const COMMAND = 'docs/agents.md describes the input and output of a command';
const ENDPOINT = 'write an address such as https://models.example/v1, without a name or password in it';
const KEY = 'copy the whole key from the provider, and nothing else';

/** Why an agent cannot be asked, or broke. */
export const AGENT = {
  transcript_of_another_task: {
    text: 'the transcript is for task {task} through {surface}, but this is {own_task} through {own_surface}',
    remedy: TRANSCRIPT,
  },
  transcript_without_header: { text: '{place}: the first line must be the header', remedy: TRANSCRIPT },
  transcript_second_header: { text: '{place}: this is a second header', remedy: TRANSCRIPT },
  transcript_early_end: { text: '{place}: "done" may only be the last line', remedy: TRANSCRIPT },
  transcript_not_json: { text: '{place}: is not JSON', remedy: TRANSCRIPT },
  transcript_bad_line: { text: '{place}: {why}', remedy: TRANSCRIPT },
  agent_file_of_unknown_kind: {
    text: '{file} cannot be run: it is not one of {kinds}',
    remedy: 'write a YAML file with its "command"; docs/agents.md shows one',
  },
  agent_file_missing: { text: '{file} does not exist', remedy: 'check the path' },
  agent_file_unreadable: { text: '{file} cannot be read ({error})', remedy: 'make it a file that you may read' },
  agent_file_without_id: {
    text: '{file} has a name that cannot be an id',
    remedy: 'give the file a name with letters or digits',
  },
  agent_file_has_problems: { text: '{problems}', remedy: 'fix the file; docs/agents.md shows one' },
  agent_reads_everything: {
    text: '{file} may not read all of {folder}',
    remedy: 'move it to a folder of its own, and list only the folders that it needs in "readable"',
  },
  agent_reads_too_much: {
    text: 'the agent {agent} may read {places}: too many folders to search for suites and bundles',
    remedy: 'move it to a folder of its own, and list smaller ones in "readable"',
  },
  agent_program_not_executable: { text: '{file} command: {command} is not an executable file', remedy: PROGRAM },
  agent_program_not_found: { text: '{file} command: {command} is not on the PATH{meant=}', remedy: PROGRAM },
  agent_python_broken: {
    text: '{file} {python} does not run',
    remedy: 'install Python 3, or name another command in a YAML file',
  },
  agent_file_outside_folder: {
    text: '{file} names {name} in "files", which is not a file in its folder',
    remedy: 'put the file next to it',
  },
  command_not_started: { text: 'it could not be started: {why}', remedy: COMMAND },
  command_ended: { text: 'it ended with {how}{output=}', remedy: COMMAND },
  command_stopped: { text: 'it was stopped', remedy: COMMAND },
  command_printed_too_much: { text: 'it printed {what}', remedy: COMMAND },
  command_bad_line: { text: '{why}', remedy: COMMAND },
  step_failed: { text: 'step {step} failed: {why}', remedy: 'fix the step, or wait for its element first' },
  step_not_bound: { text: 'cannot {step}: {why}', remedy: 'fix the solution, or wait for the element first' },
  address_not_bound: { text: 'cannot go to {url}: {why}', remedy: 'give the surface a way to open an address' },
  endpoint_not_set: { text: '{variable} is not set', remedy: ENDPOINT },
  endpoint_not_an_address: { text: '{variable} is not an address', remedy: ENDPOINT },
  key_not_set: {
    text: '{agent} needs a key, but {variable} is not set',
    remedy:
      'set it in the environment or in a file .env here, or replay recorded replies with --cassette; "touchstone plan" needs no key, and shows what this may cost',
  },
  key_has_odd_character: {
    text: '{agent} needs a key, but {variable} contains a space or a character outside ASCII',
    remedy: KEY,
  },
  key_too_short: {
    text: '{agent} needs a key, but {variable} has fewer than {least} characters, too few to be redacted',
    remedy: KEY,
  },
  cassette_broken: { text: '{why}', remedy: 'record the run again with --record-cassette' },
  replies_without_call: {
    text: '{count} replies in a row contained no call',
    remedy: 'read its replies: touchstone show <bundle> <episode>',
  },
  reply_without_plan: {
    text: 'the reply contains no plan: {why}',
    remedy: 'read it: touchstone show <bundle> <episode> --verbose',
  },
  tool_name_taken: { text: 'the surface has a tool "{tool}", a name reserved for the agent', remedy: 'rename it' },
} as const satisfies Record<string, Template>;
