// Every page has these two.

/** Saves a record, and then shows that it did. */
globalThis.save = async (record, to = '/save') => {
  const reply = await fetch(to, { method: 'POST', body: JSON.stringify(record) });
  if (!reply.ok) throw new Error(`not saved: ${reply.status}`);
  document.querySelector('#status').textContent = 'Saved';
};

/** Adds a button for each name, where the script stands or into the element given. Without `act`, it saves its name. */
globalThis.offer = (names, into = document.currentScript.parentNode, act = (choice) => globalThis.save({ choice })) => {
  for (const name of names) {
    const button = document.createElement('button');
    button.textContent = name;
    button.addEventListener('click', () => act(name));
    into.append(button, ' ');
  }
};
