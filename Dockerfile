# docker build -t tommy-race .
# docker run -p 7777:7777 -v tommy-data:/data tommy-race

FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src

# Fetch all pinned packages and check their hashes. From here on pip sees only these files, so that the
# install below takes what the server needs and leaves the development tools behind.
COPY constraints.txt ./
RUN pip download --quiet --only-binary :all: --no-deps --require-hashes -r constraints.txt -d /wheels
ENV PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels

COPY . ./
RUN pip wheel --quiet --no-deps -w /wheels . \
    && python -m venv --without-pip /opt/tommy \
    && pip --python /opt/tommy/bin/python install --quiet --only-binary :all: tommy-race


FROM python:3.13-slim
RUN useradd --system --uid 7777 --user-group --no-create-home tommy \
    && install -d -o tommy -g tommy /data
COPY --from=build /opt/tommy /opt/tommy
ENV PYTHONUNBUFFERED=1 PATH=/opt/tommy/bin:$PATH \
    TOMMY_STORE=sqlite:/data/tommy.db TOMMY_HEALTH=127.0.0.1:7778
USER tommy
WORKDIR /data
VOLUME /data
EXPOSE 7777
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=3s --start-period=5s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:7778/healthz', timeout=2)"]
ENTRYPOINT ["tommy-server"]
