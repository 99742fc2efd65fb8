import { COMMANDS } from '../commands.ts';
import { bashCompletion, fishCompletion, zshCompletion } from '../completion-scripts.ts';
import { builtInProfiles, builtInPrompts } from '../built-in-files.ts';
import { knownEntrants } from './list.ts';
import { builtInSuites } from '../suites.ts';
import { z } from 'zod';
import type { CommandSpec } from '../command.ts';
import { flagOf, isListOfNames, optionTexts } from '../options.ts';

export async function completionFor(shell: string): Promise<string> {
  const { agents, surfaces } = await knownEntrants();
  const commands = completedCommands(COMMANDS, {
    suites: builtInSuites(),
    options: {
      agent: agents.map(({ id }) => id),
      surface: surfaces.map(({ id }) => id),
      prompt: builtInPrompts(),
      fault: builtInProfiles(),
    },
  });
  if (shell === 'fish') return fishCompletion(commands);
  return shell === 'zsh' ? zshCompletion(commands) : bashCompletion(commands);
}

export interface CompletedCommand {
  name: string;
  summary: string;
  /** Words that complete an argument, besides files. */
  words: readonly string[];
  options: readonly CompletedOption[];
}

export interface CompletedOption {
  /** `a` of `-a`. */
  short: string | null;
  /** `agent` of `--agent`. */
  long: string;
  help: string;
  /** Null for a switch. */
  value: null | { words: readonly string[]; isFile: boolean; isList: boolean };
}

/** Known names of suites, and of values by option (`agent`, …). */
interface KnownNames {
  suites: readonly string[];
  options: Readonly<Record<string, readonly string[]>>;
}

/** A word without special characters of a shell. */
const PLAIN = /^[\w./@%+-]+$/;

export function completedCommands(commands: readonly CommandSpec[], names: KnownNames): CompletedCommand[] {
  return commands.map(({ name, summary, args = '', words = [], options }) => ({
    name,
    summary,
    words: plainly([...words, ...(/suites|places|<suite>/.test(args) ? names.suites : [])]),
    options: optionTexts(options).map(([option, { flags, help }]) => {
      const schema = options.shape[option];
      const known = [...(names.options[option] ?? []), ...choicesOf(schema)];
      return {
        short: /^-(\w), /.exec(flags)?.[1] ?? null,
        long: /--([\w-]+)/.exec(flags)?.[1] ?? flagOf(option).slice(2),
        help,
        value: flags.includes('<')
          ? { words: plainly(known), isFile: /<(?:file|folder|bundle)>/.test(flags), isList: isListOfNames(schema) }
          : null,
      };
    }),
  }));
}

function plainly(words: readonly string[]): string[] {
  return words.filter((word) => PLAIN.test(word));
}

/** Returns the words that an option allows, if these are few. */
function choicesOf(schema: unknown): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return choicesOf(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(choicesOf);
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(String);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}
