/** What the tests take from jStat, which has no types of its own. */
declare module 'jstat' {
  interface Distribution {
    inv(p: number, ...parameters: number[]): number;
    cdf(x: number, ...parameters: number[]): number;
  }
  const jStat: {
    normal: Distribution;
    studentt: Distribution;
    beta: Distribution;
    combination(n: number, k: number): number;
    corrcoeff(first: number[], second: number[]): number;
    quantiles(values: number[], parts: number[], alphap: number, betap: number): number[];
  };
  export default jStat;
}
