import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Names the folder in which the vendor's files lie. */
export const VARIABLE = 'TOUCHSTONE_NAC3_VENDOR';
const FIXTURE = 'nac3-benchmark-v2.3/fixtures/invoice-app';
/** SHA-256 of every file of the vendor's that an episode runs: other bytes are another app. */
const PINNED: Record<string, string> = {
  'vendor/nac-spec/js/nac.js': '0495d04b86647c102a4b9efdde9c1262a3d15269f7b0f19a3d33d38db6ec7be4',
  'vendor/nac-spec/js/nac-v2-extensions.js': '02e0d35be11d72e772c655a19307e745589425da725f480dd11476382de165bc',
  [`${FIXTURE}/server.ts`]: '48a569179c1e36f92ca0d67a5733248390248b4c378a708ed7726910076f4c33',
  [`${FIXTURE}/pages/skeleton.html`]: 'e23e6acb3cf03a5837583c4ce88261b556604c4886229fce022f5e0597183aea',
  [`${FIXTURE}/pages/app.css`]: 'ecff8aba597942558f2b0609503ac8fcac6e567897b941e5c889ab35e8d7b606',
  [`${FIXTURE}/pages/app.js`]: '272b59552b5f68f49a92400c16c882f75ebd366241cc83dbc4e307d9c6664019',
  [`${FIXTURE}/pages/nac_decoration.js`]: '75e5e6778d175d37dcc12209be1f0bec99b5d15c244d4f2159b3d8b8dd135030',
};

/** Says that the folder is wrong, and what to do about it. */
class CheckoutError extends Error {
  readonly code = 'no_checkout';
  readonly remedy = `lay the vendor's files out as docs/nac3.md says, and set ${VARIABLE} to their folder`;
}

/**
 * The vendor's server, in a folder that the user has named and whose files are those that were tried.
 * @throws CheckoutError
 */
export function vendorServer(env: NodeJS.ProcessEnv = process.env): string {
  const folder = env[VARIABLE] ?? '';
  if (folder === '') throw new CheckoutError(`${VARIABLE} is not set, and this suite has no page without it`);
  for (const [name, pinned] of Object.entries(PINNED)) {
    const found = hashOf(path.join(folder, name));
    if (found === null) throw new CheckoutError(`${VARIABLE} names a folder without ${name}`);
    if (found !== pinned) throw new CheckoutError(`${name} is another version: its SHA-256 is ${found}, not ${pinned}`);
  }
  return path.resolve(folder, FIXTURE, 'server.ts');
}

function hashOf(file: string): string | null {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return null;
  }
}
