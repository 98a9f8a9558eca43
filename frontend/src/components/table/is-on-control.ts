import type { MouseEvent } from 'react'

/** Whether a click inside a row was meant for a button, a switch or a link in it, or marked some text. */
export function isOnControl({ target }: MouseEvent): boolean {
  if (window.getSelection()?.toString()) return true
  return target instanceof Element && target.closest('a, button, input, label, [role="menu"], [role="dialog"]') !== null
}
