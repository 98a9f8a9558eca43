import { type MouseEvent, useState } from 'react'

export type MenuAnchor = ReturnType<typeof useMenuAnchor>

/** Where a menu hangs; closed while there is no anchor. */
export function useMenuAnchor() {
  const [anchorEl, setAnchorEl] = useState<HTMLElement | null>(null)
  return {
    anchorEl,
    open: anchorEl !== null,
    show: (event: MouseEvent<HTMLElement>) => setAnchorEl(event.currentTarget),
    close: () => setAnchorEl(null),
  }
}
