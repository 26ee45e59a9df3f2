/** OpenCC's table of traditional characters, which its package has no types for: `traditional simplified`, with bars between. */
declare module 'opencc-js/dict/TSCharacters' {
  const pairs: string;
  export default pairs;
}
