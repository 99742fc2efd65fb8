import { fact } from '../../messages/messages.ts';
import { defineCommand } from '../command.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { Options } from '../options.ts';

const SHELLS = ['bash', 'zsh', 'fish'];

export const completion = defineCommand({
  name: 'completion',
  args: '<shell>',
  group: 'program',
  summary: 'Print a script that completes words in your shell',
  about:
    'Print a script that lets bash, zsh or fish complete commands, options, and the names that come with Touchstone, after "touchstone", "npx touchstone" and "npm run touchstone --". Source it in ~/.bashrc, or in ~/.zshrc after compinit; in a folder of fpath it completes all but "npm run touchstone --". Fish reads it from conf.d.',
  options: Options.pick({}),
  words: SHELLS,
  examples: [
    'touchstone completion bash > ~/.touchstone.bash',
    'touchstone completion zsh > ~/.zfunc/_touchstone',
    'touchstone completion fish > ~/.config/fish/conf.d/touchstone.fish',
  ],
  async run({ args: [shell = ''] }, terminal) {
    if (!SHELLS.includes(shell)) throw new UsageError(fact('no_completion', { shell, shells: SHELLS }));
    const script = await (await import('../actions/completion.ts')).completionFor(shell);
    for (const line of script.split('\n')) terminal.out(line);
    return EXIT.done;
  },
});
