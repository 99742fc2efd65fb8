// Buttons that copy commands.

/** @param {Element} button */
async function copy(button) {
  const command = button.previousElementSibling;
  if (command === null) return;
  try {
    await navigator.clipboard.writeText(command.textContent ?? '');
    button.textContent = 'Copied';
  } catch {
    // Without access to the clipboard, users copy by hand.
    getSelection()?.selectAllChildren(command);
  }
}

document.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.matches('.copy')) void copy(target);
});
