import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { ApiError } from '@/api/errors'

/** Shows what the server said about each field beside that field; returns whether there was anything. */
export function applyServerErrors<T extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<T>,
  names: Record<string, Path<T>>,
): boolean {
  const fields = error instanceof ApiError ? (error.fields ?? {}) : {}
  const known = Object.entries(fields).flatMap(([name, message]) => {
    const field = names[name]
    return field ? [{ field, message }] : []
  })
  known.forEach(({ field, message }, index) => {
    setError(field, { type: 'server', message }, { shouldFocus: index === 0 })
  })
  return known.length > 0
}
