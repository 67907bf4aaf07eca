ARG PYTHON_IMAGE=python:3.12-slim
FROM ${PYTHON_IMAGE}

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    DJANGO_SETTINGS_MODULE=config.settings.production \
    DATA_DIR=/data

WORKDIR /app
COPY requirements.lock .
RUN pip install --require-hashes -r requirements.lock
COPY . .
# The values are for this one line: static files depend on none of them.
RUN SECRET_KEY=build DATABASE_URL=sqlite:////tmp/build.sqlite3 REDIS_URL=redis://build PUBLIC_URL=https://build \
    python manage.py collectstatic --noinput \
    && python -m compileall -q . \
    && python script/sbom > sbom.cdx.json \
    && useradd --uid 10001 --create-home semblance && mkdir -p /data && chown semblance /data

USER 10001:10001
VOLUME /data
EXPOSE 8000
CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "8", \
     "--worker-tmp-dir", "/dev/shm", "--no-control-socket"]
