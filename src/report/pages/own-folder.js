// Puts the folder of a page that is opened as a file of a bundle into its commands.

/** As `src/report/html/command-section.ts` writes it. */
const NO_FOLDER = 'path/to/bundle';
const ownFolder = folderOf(location);

/** The folder of a report that is opened as a file, as a word of a shell; null for other pages. @param {Location} place */
function folderOf({ protocol, pathname }) {
  if (protocol !== 'file:') return null;
  const folder = /^(\/(?![A-Za-z]:)[^\p{Cc}]+)\/report\.html$/u.exec(decoded(pathname))?.[1];
  if (folder === undefined) return null;
  return /^[\w@%+=:,./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", String.raw`'\''`)}'`;
}

/** @param {string} pathname */
function decoded(pathname) {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return '';
  }
}

/** @param {string} command */
function inOwnFolder(command) {
  return ownFolder === null ? command : command.replace(NO_FOLDER, () => ownFolder);
}

// Before report.js takes them.
const data = document.getElementById('data');
if (data !== null && ownFolder !== null) {
  /** @type {{ facts: [string, string][] }[]} */
  const episodes = JSON.parse(data.textContent ?? '[]');
  for (const { facts } of episodes) {
    for (const fact of facts) if (fact[0] === 'look at it') fact[1] = inOwnFolder(fact[1]);
  }
  data.textContent = JSON.stringify(episodes);
}
for (const part of document.querySelectorAll('.command, .command *')) {
  for (const node of part.childNodes) {
    if (node instanceof Text) node.data = inOwnFolder(node.data);
  }
}
