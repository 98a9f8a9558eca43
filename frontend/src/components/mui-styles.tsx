import { createContext, use, type ReactNode } from 'react'

/** Brings MUI's styles along. The app knows how; without it they are taken to be there. */
export const MuiStyles = createContext<(children: ReactNode) => ReactNode>((children) => children)

/** Around what is drawn with MUI on a page that is not: dialogs and menus, fetched when they open. */
export function OnMui({ children }: { children: ReactNode }) {
  return use(MuiStyles)(children)
}
