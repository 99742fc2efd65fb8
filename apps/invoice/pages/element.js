const HANDLERS = Symbol('handlers');

/**
 * An element with attributes, listeners (`onclick` and the like) and children. `value` and `checked` are set as what is
 * shown now, too; false, null and undefined mean that there is no such attribute.
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  made[HANDLERS] = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) listen(made, name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.flat().filter((child) => child !== null));
  return made;
}

/** Listeners are looked up when they are needed, so that an element that stays can be given those of the next drawing. */
function listen(made, type, handler) {
  made[HANDLERS][type] = handler;
  made.addEventListener(type, (event) => made[HANDLERS][type]?.(event));
}

/**
 * Makes `old` what `next` is, and keeps every element that is in both: what has the focus, or is just being clicked,
 * is not replaced. `isTouched` says whose value is being edited and stays.
 */
export function redraw(old, next, isTouched) {
  old[HANDLERS] = next[HANDLERS];
  for (const { name } of Array.from(old.attributes))
    if (!next.hasAttribute(name) && name !== 'open') old.removeAttribute(name);
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  redrawChildren(old, next, isTouched);
  if (isTouched(old)) return;
  if (old.type === 'radio') old.checked = next.hasAttribute('checked');
  else if ('value' in old && old.tagName !== 'BUTTON' && old.value !== next.value) old.value = next.value;
}

function redrawChildren(old, next, isTouched) {
  const spare = new Set(old.childNodes);
  let place = old.firstChild;
  for (const child of Array.from(next.childNodes)) {
    const same = [...spare].find((each) => isSame(each, child));
    if (same === undefined) {
      old.insertBefore(child, place);
      continue;
    }
    spare.delete(same);
    if (same === place) place = place.nextSibling;
    else old.insertBefore(same, place);
    if (same.nodeType === Node.ELEMENT_NODE) redraw(same, child, isTouched);
    else if (same.data !== child.data) same.data = child.data;
  }
  for (const gone of spare) gone.remove();
}

function isSame(a, b) {
  if (a.nodeType !== b.nodeType) return false;
  return a.nodeType !== Node.ELEMENT_NODE || (a.tagName === b.tagName && a.id === b.id && a.type === b.type);
}
