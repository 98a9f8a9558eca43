import type { ComponentProps, SubmitEvent } from 'react'
import styles from './form.module.css'

type Props = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  /** Stands apart from what is above it on a page. */
  page?: boolean
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => unknown
}

/** A form that a function submits, without the browser's own validation. */
export function Form({ page = false, className, onSubmit, ...props }: Props) {
  return (
    <form
      className={className ?? (page ? `${styles.stack} ${styles.page}` : styles.stack)}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(event)
      }}
      {...props}
    />
  )
}
