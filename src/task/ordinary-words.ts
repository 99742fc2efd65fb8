/**
 * Words that anybody may need who says how to work in a browser, so that one of them alone gives no task away, whatever control
 * or value is called so. Every word of the built-in prompts is among them, and a test holds it to that: another word that
 * comes into a prompt is looked at before it comes in here.
 */
export const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  `about after again alike alone among another answer application args around asked asks because been before brings browser
  call called calls cannot careful carried carry change claim comes dialog does done each else emitted every everything exactly
  exist fails first found from give gives happened have instruction json labels later least leave line long look looks make
  material mean means mend more most must names never nobody nothing obeyed object once only operate operating order other outcome
  page pages part place plan possible reads reason repeat replies reply saved saves says seen several shorter shown shows small
  something stand stands steps success sure system task tell tells that their them then there they things through tool tools
  tried true turn unless user values ways were what whatever when where whether which whoever whole will with words work write
  your

  action address button cancel click close confirm create date delete email enter field form link list method name next open
  password press reference search select send submit table text title type update wait`.split(/\s+/),
);
