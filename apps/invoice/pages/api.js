/** A command that the server has refused. */
export class Refusal extends Error {
  constructor({ code, message, remedy }) {
    super(`${message}; ${remedy}`);
    this.code = code;
  }
}

/** Has the server carry out a command; everything that the page does goes this way. */
export async function command(name, args = {}) {
  const body = JSON.stringify(args);
  const response = await fetch(`/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const answer = await response.json();
  if (!response.ok) throw new Refusal(answer.error);
  return answer;
}
