import { fact } from '../../messages/messages.ts';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../plan/package-root.ts';
import { loadApp } from '../../world/load-app.ts';
import { installationOf, isInstalled, type PinnedApp } from '../../world/real-app/cache.ts';
import { realAppOf } from '../../world/real-app/define-real-app.ts';
import { installApp } from '../../world/real-app/install.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { whileWaiting } from '../live/progress-display.ts';
import { tableOf } from '../terminal-sections.ts';
import type { Terminal } from '../terminal.ts';
import type { Column } from '../../report/document.ts';
import type { Request } from '../command.ts';
import type { AppsOptions } from '../commands/program.ts';

export async function apps(
  { args: [action = '', ...names], options: { json } }: Request<AppsOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  if (action !== 'install' && action !== 'list') {
    throw new UsageError(fact('unknown_action', { action, actions: '"apps install" or "apps list"' }));
  }
  const chosen = await realApps(names);
  if (action === 'install') await install(chosen, terminal);
  const found = chosen.map((app) => ({ ...app, installed: isInstalled(app) ? installationOf(app) : null }));
  if (json) {
    const shown = found.map(({ name, package: what, version, licence, installed }) => ({
      name,
      package: what,
      version,
      licence,
      installed,
    }));
    terminal.out(JSON.stringify({ apps: shown }));
    return EXIT.done;
  }
  const columns: Column<(typeof found)[number]>[] = [
    { head: 'app', words: true, text: ({ name }) => name },
    { head: 'package', words: true, text: (app) => app.package },
    { head: 'version', words: true, text: ({ version }) => version },
    { head: 'licence', words: true, text: ({ licence }) => licence },
    { head: 'installed in', words: true, text: ({ installed }) => installed },
  ];
  for (const line of tableOf(columns, found, terminal)) terminal.out(line);
  return EXIT.done;
}

async function realApps(names: readonly string[]): Promise<PinnedApp[]> {
  const folder = path.join(packageRoot(), 'apps');
  const known = readdirSync(folder).filter((name) => existsSync(path.join(folder, name, 'package-lock.json')));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(fact('unknown_app', { app: unknown, known }));
  const chosen = names.length === 0 ? known : [...new Set(names)];
  const pinned = await Promise.all(
    chosen.map(async (name) => realAppOf(await loadApp(path.join(folder, name, 'app.ts')))),
  );
  return pinned.filter((app) => app !== null);
}

/** Installs one after the other, since npm uses the whole machine. */
async function install(chosen: readonly PinnedApp[], terminal: Terminal): Promise<void> {
  for (const app of chosen) {
    if (isInstalled(app)) continue;
    terminal.note(`installing ${app.package} ${app.version} …`);
    await whileWaiting(`installing ${app.package}`, terminal, () => installApp(app));
  }
}
