import { useId, type ReactNode } from 'react'
import own from './two-factor.module.css'

type Props = { name: string; chosen: boolean; chosenLabel: string; children: ReactNode }

export function Method({ name, chosen, chosenLabel, children }: Props) {
  const nameId = useId()
  return (
    <section className={own.method} data-chosen={chosen} aria-labelledby={nameId}>
      <h3 className={own.name}>
        <span id={nameId}>{name}</span>
        {chosen ? <span className={own.mark}>{chosenLabel}</span> : null}
      </h3>
      {children}
    </section>
  )
}
