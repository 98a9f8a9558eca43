/** The colours of `tokens.css` once more: MUI computes hover and disabled shades and cannot do so from variables.
 *  A test holds the two together. */
const light = {
  ink: '#14203b',
  inkSoft: '#4c5875',
  line: '#e3e7f0',
  bg: '#f6f7fb',
  card: '#ffffff',
  primary: '#2447b8',
  primaryStrong: '#1b3690',
  primarySoft: '#e9eefc',
  onPrimary: '#ffffff',
  teal: '#12a594',
  danger: '#b3261e',
  success: '#1d7a4d',
  warning: '#8a5a00',
  onTeal: '#0b1633',
}

export type Palette = typeof light

const dark: Palette = {
  ...light,
  ink: '#e8edf9',
  inkSoft: '#a9b4ce',
  line: '#2a3654',
  bg: '#0b1222',
  card: '#131c33',
  primary: '#8ea8ff',
  primaryStrong: '#b3c4ff',
  primarySoft: '#1e2c54',
  onPrimary: '#0b1633',
  danger: '#ff9c92',
  success: '#6fd6a2',
  warning: '#f3c069',
}

export const palettes = { light, dark }
