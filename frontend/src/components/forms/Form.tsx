import type { ReactNode } from 'react'

type Props = { className?: string | undefined; onSubmit: () => void; children: ReactNode }

/** A form that a function submits, without the browser's own validation. */
export function Form({ className, onSubmit, children }: Props) {
  return (
    <form
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
