/** Keys that Chromium's window takes where a page leaves them, as a client of the protocol sends them. */
export interface Accelerator {
  name: string;
  key: string;
  code: string;
  windowsVirtualKeyCode: number;
  modifiers: number;
}

const MODIFIERS: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };
const CODES: Readonly<Record<string, [code: string, keyCode: number]>> = {
  F1: ['F1', 112],
  F3: ['F3', 114],
  F4: ['F4', 115],
  F5: ['F5', 116],
  F6: ['F6', 117],
  F7: ['F7', 118],
  F10: ['F10', 121],
  F11: ['F11', 122],
  F12: ['F12', 123],
  Escape: ['Escape', 27],
  Delete: ['Delete', 46],
  Home: ['Home', 36],
  Tab: ['Tab', 9],
  PageDown: ['PageDown', 34],
  ArrowLeft: ['ArrowLeft', 37],
  Enter: ['Enter', 13],
  '=': ['Equal', 187],
  '1': ['Digit1', 49],
  '9': ['Digit9', 57],
};

const NAMES =
  `F12 Control+Shift+I Control+Shift+J Control+Shift+C Control+T Control+N Control+Shift+N Control+U Control+H
  Control+J Control+O Control+P Control+Shift+P Control+S Control+Shift+O Control+Shift+Delete Control+Shift+B
  Control+Shift+A Control+Shift+T Control+Shift+W Control+Shift+M Control+Shift+D Alt+F Alt+E Alt+D F1 Shift+Escape
  Control+L Control+K Control+E F3 F5 F6 F7 F10 F11 Alt+Home Alt+ArrowLeft Alt+Enter Control+D Control+F Control+G
  Control+R Control+Tab Control+PageDown Control+1 Control+9 Control+= Control+F4 Control+W Alt+F4`.split(/\s+/);

export const ACCELERATORS: readonly Accelerator[] = NAMES.map((name) => {
  const parts = name.split('+');
  const last = parts.at(-1) ?? '';
  const [code, windowsVirtualKeyCode] = CODES[last] ?? [`Key${last}`, last.charCodeAt(0)];
  const modifiers = parts.slice(0, -1).reduce((sum, each) => sum + (MODIFIERS[each] ?? 0), 0);
  return { name, key: last, code, windowsVirtualKeyCode, modifiers };
});
