// The conversation of the benchmark: invented, the same at every run.

/** Turns of one window. */
export const TURNS = 6;

/** One turn of the conversation, by its number from 1. */
const toTurn = (number) =>
  `${number % 2 === 1 ? 'Anna' : 'Ben'}: Yesterday I saw film number ${number} at the Rex with my sister Mia, and afterwards we talked about it over tea until late.`;

/** A conversation of so many windows, which goes on with the films after those of so many windows. */
export const toConversation = (windows, before = 0) =>
  ['# 2024-03-05', ...Array.from({ length: windows * TURNS }, (_, at) => toTurn(before * TURNS + at + 1))].join('\n');

/** What a turn says, as a fact. */
export const toFact = (number) =>
  `${number % 2 === 1 ? 'Anna' : 'Ben'} saw film number ${number} at the Rex with Mia on 4 March 2024.`;
