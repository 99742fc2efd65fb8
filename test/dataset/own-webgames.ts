/** The passwords of our games in their source. */
export const WRITTEN = { press: 'PRESS_2020', decoy: 'DECOY_2020', wait: 'WAIT_2020' };

const row = (path: string, password: string): string =>
  `${JSON.stringify({ path, description: `Do ${path}`, tags: ['ours'], password, difficulty: 'easy', id: path })}\n`;

const PRESS = `export const PASSWORD_Press = "${WRITTEN.press}";
export const PASSWORD_PressDecoy = "${WRITTEN.decoy}";
export const TASK_ID_Press = "press";
const Press = () => {
  const { recordSuccess } = useTaskAnalytics(
    TASK_ID_Press
  );
  return <button onClick={() => recordSuccess()}>Win</button>;
};`;

/** As a bundler would write the pages. */
const SCRIPT = `const w="${WRITTEN.press}",d=\`${WRITTEN.decoy}\`,p='${WRITTEN.wait}';
const game=location.pathname.slice(1),show=text=>{document.getElementById('out').textContent=text};
document.body.innerHTML='<button id="win">Win</button><button id="look">Look</button><p id="out"></p>';
document.getElementById('win').onclick=async()=>{
if(game==='press')await fetch('/api/record-completion',{method:'POST',body:JSON.stringify({taskId:game,url:location.href})});
show('Password: '+(game==='press'?w:p));};
document.getElementById('look').onclick=()=>show('Password: '+w+', not '+d);`;

/** A built checkout in the form of WebGames, of our own games: one records that it was won, one does not, and one asks outside. */
export const OWN_WEBGAMES: Record<string, string> = {
  'evals/browseruse_webgames/webgames_tasks.jsonl':
    row('press', WRITTEN.press) + row('wait/*', WRITTEN.wait) + row('robo-check', 'ROBO_2020'),
  'webgames/src/pages/Frame.tsx': `export const PASSWORD_Frame = "${WRITTEN.press}";`,
  'webgames/src/pages/Press.tsx': PRESS,
  'webgames/src/pages/Wait.tsx': `export const PASSWORD_Wait =\n  "${WRITTEN.wait}";`,
  'webgames/dist/index.html':
    '<!doctype html><html><head><title>Ours</title></head><body><script type="module" src="/assets/index.js"></script></body></html>',
  'webgames/dist/assets/index.js': SCRIPT,
};
