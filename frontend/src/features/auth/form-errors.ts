import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { ApiError } from '@/api/errors'

/** Puts what the server said about a field beside that field; answers whether there was anything. */
export function landOnFields<T extends FieldValues>(
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
