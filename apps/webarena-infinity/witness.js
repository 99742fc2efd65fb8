// Marks the states that a page sends to its app, which writes the two values in. A block, so that nothing becomes global.
{
  const { header, token } = GIVEN;
  document.currentScript.remove();
  const { Error, Headers, Reflect } = window;
  const { apply } = Reflect;
  const send = window.fetch;
  const [endsWith, includes, split] = ['endsWith', 'includes', 'split'].map((name) =>
    Reflect.get(String.prototype, name),
  );
  const set = Reflect.get(Headers.prototype, 'set');
  const scripts = `${window.location.origin}/js/`;
  let number = 0;

  /** The caller of `fetch` is in the fourth line. */
  const isCalledByPage = () => {
    const [, , , caller = ''] = apply(split, new Error('stack').stack ?? '', ['\n']);
    return apply(includes, caller, [scripts]);
  };

  window.fetch = function fetch(place, given) {
    const isState = typeof place === 'string' && apply(endsWith, place, ['/api/state']) && given?.method === 'PUT';
    if (!isState || !isCalledByPage()) return apply(send, window, [place, given]);
    const headers = new Headers(given.headers);
    apply(set, headers, [header, `${token} ${(number += 1)}`]);
    return apply(send, window, [place, { ...given, headers }]);
  };
}
