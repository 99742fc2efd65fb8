/**
 * The quantile of Student's t at 0.975 for whole degrees of freedom, by bisection of the distribution function.
 * The function is the finite sum for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
 */
export function studentQuantile975(degrees: number): number {
  let [low, high] = [0, 1];
  while (insideOf(high, degrees) < 0.95) high *= 2;
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2;
    if (insideOf(middle, degrees) < 0.95) low = middle;
    else high = middle;
  }
  return high;
}

/** The probability that |T| is below t. */
function insideOf(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? Math.cos(angle) : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power <= degrees - 2; power += 2) {
    term *= (Math.cos(angle) ** 2 * (power - 1)) / power;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}
