# The table online. Build: docker build -t cabochon .   Run: docker run -p 8000:8000 -v tables:/data cabochon
FROM python:3.11-slim-bookworm AS build
WORKDIR /src
COPY . .
# The package's own build makes the web table; Node comes as a wheel.
RUN pip wheel --no-cache-dir --constraint constraints.txt --wheel-dir /wheels ".[postgres]"

FROM python:3.11-slim-bookworm
RUN useradd --create-home --uid 10001 cabochon && install -d -o cabochon /data
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index /wheels/*.whl && rm -rf /wheels
USER 10001
# The bots' kernel is compiled here once, not at the first game.
RUN python -m cabochon.kernel.build
ENV CABOCHON_HOST=0.0.0.0 \
    CABOCHON_PORT=8000 \
    CABOCHON_DB=/data/tables.db \
    CABOCHON_LOG_JSON=yes
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz')"]
ENTRYPOINT ["cabochon"]
CMD ["serve"]
