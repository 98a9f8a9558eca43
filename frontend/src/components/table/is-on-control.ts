import type { MouseEvent } from 'react'

/** Whether a click inside a row hit a control in it, or selected text. */
export function isOnControl({ target }: MouseEvent): boolean {
  if (window.getSelection()?.toString()) return true
  return target instanceof Element && target.closest('a, button, input, label, [role="menu"], [role="dialog"]') !== null
}
