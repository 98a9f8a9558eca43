import { useRef, useState } from 'react'
import { useSecondsLeft } from '@/hooks/use-seconds-left'
import type { SecretMutation } from '@/hooks/use-secret-mutation'

/** A code being typed. A refused one is cleared, and the field focused for the next. */
export function useCodeEntry(verify: SecretMutation<[code: string]>) {
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const locked = useSecondsLeft(verify.lockedUntil)

  async function submit(text: string) {
    if (await verify.mutate(text)) return
    setCode('')
    field.current?.focus()
  }

  return { code, setCode, field, locked, submit }
}
