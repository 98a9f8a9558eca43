import type { Candidate } from './api'
import own from './key-holder.module.css'

export function Person({ person, note }: { person: Candidate; note?: string }) {
  return (
    <div className={own.person}>
      <span className={own.name}>
        <bdi>
          {person.firstName} {person.lastName}
        </bdi>
      </span>
      <span className={own.soft}>
        <bdi dir="ltr">{person.email_address}</bdi>
      </span>
      {note ? <span className={own.soft}>{note}</span> : null}
    </div>
  )
}
