"""The engine of all background work.

A job is a row of a model that inherits `Job`. It is claimed by a single UPDATE that gives it the number of the attempt,
and its end is stored by an UPDATE that asks for that number, in the transaction of what the job stores. So a late
result of a worker that was taken for lost is not kept, and what was kept is also marked as done.
"""
