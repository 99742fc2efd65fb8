import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { Options } from '../options.ts';
import { UsageError } from '../usage-error.ts';

const SHELLS = ['bash', 'zsh', 'fish'];

export const completion = defineCommand({
  name: 'completion',
  args: '<shell>',
  group: 'program',
  summary: 'Print what completes commands, options and names in your shell',
  about:
    'Print a script by which bash, zsh or fish completes commands, options, and the names that come with Touchstone. It completes the word "touchstone", so it must be found as that: installed with -g, or with node_modules/.bin in PATH.',
  options: Options.pick({}),
  words: SHELLS,
  examples: [
    'touchstone completion bash > ~/.local/share/bash-completion/completions/touchstone',
    'touchstone completion zsh > ~/.zfunc/_touchstone',
    'touchstone completion fish > ~/.config/fish/completions/touchstone.fish',
  ],
  async run({ args: [shell = ''] }, terminal) {
    if (!SHELLS.includes(shell))
      throw new UsageError(`no completion for "${shell}"`, `name one of ${SHELLS.join(', ')}`);
    terminal.out(await (await import('../actions/completion.ts')).completionFor(shell));
    return EXIT.done;
  },
});
