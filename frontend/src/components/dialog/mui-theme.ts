import { createTheme, type Theme } from '@mui/material/styles'
import { palettes } from '@/theme/palettes'

export type Mode = 'light' | 'dark'

/** MUI's theme on the colours of `tokens.css`. */
export function buildTheme(mode: Mode, direction: 'ltr' | 'rtl'): Theme {
  const colours = palettes[mode]
  const border = `1px solid ${colours.line}`
  return createTheme({
    direction,
    palette: {
      mode,
      primary: {
        main: colours.primary,
        dark: colours.primaryStrong,
        light: colours.primarySoft,
        contrastText: colours.onPrimary,
      },
      secondary: { main: colours.teal, contrastText: colours.onTeal },
      error: { main: colours.danger, contrastText: colours.onPrimary },
      success: { main: colours.success, contrastText: colours.onPrimary },
      warning: { main: colours.warning, contrastText: colours.onPrimary },
      info: { main: colours.primary, contrastText: colours.onPrimary },
      text: { primary: colours.ink, secondary: colours.inkSoft },
      background: { default: colours.bg, paper: colours.card },
      divider: colours.line,
    },
    shape: { borderRadius: 12 },
    spacing: 8,
    typography: {
      fontFamily: 'var(--t-font)',
      h1: { fontSize: '1.75rem', fontWeight: 700, letterSpacing: '-0.02em', lineHeight: 1.2 },
      h2: { fontSize: '1.25rem', fontWeight: 650, lineHeight: 1.3 },
      h3: { fontSize: '1.0625rem', fontWeight: 650, lineHeight: 1.4 },
      h6: { fontSize: '1.25rem', fontWeight: 650, lineHeight: 1.35 },
      button: { fontWeight: 600, textTransform: 'none' },
    },
    components: {
      MuiButtonBase: {
        // The outline shows the focus; a ripple under it makes the text hard to read.
        defaultProps: { disableRipple: true },
        styleOverrides: {
          root: { '&.Mui-focusVisible': { outline: `3px solid ${colours.primary}`, outlineOffset: 2 } },
        },
      },
      MuiButton: {
        defaultProps: { disableElevation: true },
        styleOverrides: { root: { borderRadius: 11, paddingInline: 18, minHeight: 40 } },
      },
      MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: 'none' } } },
      MuiCard: { styleOverrides: { root: { border } } },
      MuiMenu: { styleOverrides: { paper: { border } } },
      MuiDialog: { styleOverrides: { paper: { border, borderRadius: 16 } } },
      // Long words move to a new line before they are broken.
      MuiDialogActions: { styleOverrides: { root: { flexWrap: 'wrap', rowGap: 8 } } },
      MuiDrawer: { styleOverrides: { paper: { borderRadius: 0 } } },
      MuiTooltip: { styleOverrides: { tooltip: { fontSize: '0.8125rem', borderRadius: 8 } } },
      MuiTableCell: { styleOverrides: { root: { borderColor: colours.line } } },
    },
  })
}
