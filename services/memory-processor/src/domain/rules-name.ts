/** The name under which written rules sign what they rated. */
export const RULES = 'rules';
