// The page of an episode: long texts are fetched when they are opened. What comes is set as text; nothing here makes markup.

/** @param {HTMLDetailsElement} details */
async function load(details) {
  const [from, text] = [details.dataset['from'], details.querySelector('pre')];
  if (!details.open || from === undefined || text === null) return;
  text.hidden = false;
  text.textContent = '…';
  text.textContent = await fetched(from);
}

/** @param {string} from */
async function fetched(from) {
  try {
    return await (await fetch(from)).text();
  } catch {
    return 'It could not be fetched. Has the program ended that serves this page?';
  }
}

for (const details of document.querySelectorAll('details')) {
  details.addEventListener('toggle', () => {
    void load(details);
  });
}
