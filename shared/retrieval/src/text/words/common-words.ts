import { toOtherForms } from './irregular-forms.ts';
import { stemTerm } from './tokenize.ts';

/** English words that texts about anything have, though they carry content: they tell little of what a question is about. */
const words = `
  able actually add again age ago allow already also always amount another answer anything around ask away back bad become
  begin believe best better big bit both bring build buy call care carry case cause certain change check choose close come
  common consider contain continue cost could cover cut date day deal decide describe detail did different do done early
  easy end enough even ever every example expect explain fact fall far fast feel few fill final find first fit follow form
  free full get give go good great group grow half hand happen hard head hear help high hold idea important include issue
  item job keep kind know large last late lead learn least leave less let level like like line list little live long look lose
  lot love low main make many matter may mean meet member mind moment more most move much must name near need new next nice note
  number off often old open order other own part pass pay people person place plan play point possible present problem
  provide put question quick rather reach read ready real really reason receive remember report rest result right run same
  save say second see seem sell send set several shall share short show side similar simple since single size small some
  soon sort sound speak special stand start state stay step still stop story such support sure take talk tell term test
  thing think third time today together top total touch tried try turn type understand use used usual very view visit wait
  walk want watch way wear week well whole win wish without word work world would write wrong year yes yet young`;

const common = new Set(words.trim().split(/\s+/).map(stemTerm));

/** Whether a term is of an English word that texts about anything have, or of another form of one: `wrote` of `write`. */
export function isCommonTerm(term: string): boolean {
  return common.has(term) || toOtherForms(term).some((form) => common.has(form));
}
