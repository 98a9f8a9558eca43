import { type MouseEvent, useState } from 'react'

export type MenuAnchor = ReturnType<typeof useMenuAnchor>

/** Whether a menu is open, and the button that opened it. */
export function useMenuAnchor() {
  const [anchorEl, setAnchorEl] = useState<HTMLElement | null>(null)
  return {
    open: anchorEl !== null,
    /** A second press on the button closes the menu again. */
    show: ({ currentTarget }: MouseEvent<HTMLElement>) => setAnchorEl(anchorEl ? null : currentTarget),
    /** Gives the focus back to the button. */
    close: () => {
      anchorEl?.focus()
      setAnchorEl(null)
    },
    /** The focus is elsewhere already, or on its way. */
    leave: () => setAnchorEl(null),
  }
}
