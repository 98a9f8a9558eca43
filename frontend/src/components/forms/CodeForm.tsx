import type { ReactNode } from 'react'
import { Button } from '../Button'
import { Form } from './Form'
import { Row } from './layout'
import { MutationError } from './MutationError'

type Props = {
  failed: { error: unknown; failedAt: number }
  /** Shown when the server gives no message. */
  fallback: string
  pending: boolean
  /** Why the code cannot be submitted now; null while it can. */
  disabledReason: string | null
  submitLabel: string
  onSubmit: () => void
  back: ReactNode
  /** Beside the way back: another code, or another kind of code. */
  other: ReactNode
  children: ReactNode
}

/** The frame of a form that takes a one-time code. */
export function CodeForm(props: Props) {
  const { failed, fallback, pending, disabledReason, submitLabel, onSubmit, back, other, children } = props
  return (
    <Form
      page
      onSubmit={() => {
        if (!disabledReason) onSubmit()
      }}
    >
      <MutationError mutation={failed} fallback={fallback} takesFocus={false} />
      {children}
      <Button type="submit" size="xlarge" fullWidth pending={pending} disabledReason={disabledReason}>
        {submitLabel}
      </Button>
      <Row>
        {back}
        {other}
      </Row>
    </Form>
  )
}
