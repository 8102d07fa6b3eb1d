"""A stand-in for docker and podman: a program with their command line, and a daemon that really runs the processes.

As with a real one, a container is no child of the program that started it: who kills the program has not killed it::

    image = FakeImage(programs={"python3": engine_python(tmp_path / "engine")})
    with FakeDaemon(tmp_path, {"vllm@sha256:...": image}) as docker:
        ...engine.container.program = str(docker.program)...
        assert not docker.containers()

Inside and outside are one file system here: paths of mounts are translated on the command line and in variables.
"""

from fake_docker.daemon import FakeDaemon, FakeImage

__all__ = ["FakeDaemon", "FakeImage"]
