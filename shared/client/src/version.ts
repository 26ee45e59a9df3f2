/** The version that servers see. */
export const version = '0.1.0';
